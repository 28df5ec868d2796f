// Games of all three kinds with the client of openapi-generator (go).
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	games "x/openapi"
)

var background = context.Background()

// result returns the response of a call, or ends the program.
func result[T any](value T, _ *http.Response, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func snowTime(api *games.SnowTimeAPIService) string {
	seats := []games.SnowTimeNewSeat{}
	players := []string{"anna", "bob", "cleo"}
	for index, seat := range []string{"red", "blue", "green"} {
		seats = append(seats, games.SnowTimeNewSeat{Seat: seat, Player: &players[index]})
	}
	request := games.SnowTimeNewRequest{Seats: seats}
	state := result(api.SnowTimeNew(background).SnowTimeNewRequest(request).Execute()).State
	quick, events := games.EFFORT_QUICK, 0
	for round := int64(1); ; round++ {
		growth := games.SnowTimeGrowRequest{State: state, Seed: &round}
		state = result(api.SnowTimeGrow(background).SnowTimeGrowRequest(growth).Execute()).State
		moves, nonce := map[string]games.SnowTimeMove{}, fmt.Sprint(round)
		for _, player := range players {
			question := games.SnowTimeSuggestRequest{State: state, Player: player, Effort: &quick, Nonce: &nonce}
			hint := result(api.SnowTimeSuggest(background).SnowTimeSuggestRequest(question).Execute())
			for seat, move := range hint.SnowTimeCardHint.Pick {
				moves[seat] = move
			}
		}
		for {
			revealed := games.SnowTimeLegalMovesRequest{State: state, Revealed: moves}
			legal := result(api.SnowTimeLegalMoves(background).SnowTimeLegalMovesRequest(revealed).Execute())
			for seat, choices := range legal.Moves {
				moves[seat] = choices[len(choices)-1]
			}
			if len(legal.Moves) == 0 {
				break
			}
		}
		played := games.SnowTimeResolveRequest{State: state, Moves: moves}
		resolved := result(api.SnowTimeResolve(background).SnowTimeResolveRequest(played).Execute())
		state = resolved.State
		events += len(resolved.Events)
		if resolved.GameOver {
			return fmt.Sprint(round, " ", events, " ", strings.Join(resolved.Winners, " "))
		}
	}
}

func slopecrashers(api *games.SlopecrashersAPIService) string {
	seed, quick, events := int64(1), games.EFFORT_QUICK, 0
	seats := []games.SlopecrashersNewSeat{{Player: "anna"}, {Player: "bob"}}
	request := games.SlopecrashersNewRequest{Seats: seats, Seed: &seed}
	state := result(api.SlopecrashersNew(background).SlopecrashersNewRequest(request).Execute()).State
	for turn := 1; ; turn++ {
		soFar := []games.SlopecrashersAction{}
		for {
			position := games.SlopecrashersLegalMovesRequest{State: state, SoFar: soFar}
			legal := result(api.SlopecrashersLegalMoves(background).SlopecrashersLegalMovesRequest(position).Execute())
			if legal.SlopecrashersLegalMovesComplete != nil {
				break
			} else if draw := legal.SlopecrashersLegalMovesDraw; draw != nil {
				drawn := games.SlopecrashersActionDraw{Type: "draw", Card: games.SlopecrashersCardOrUnknown(draw.Draw[0].Card)}
				soFar = append(soFar, games.SlopecrashersActionDrawAsSlopecrashersAction(&drawn))
			} else {
				question := games.SlopecrashersSuggestRequest{State: state, SoFar: soFar, Player: deciding(legal), Effort: &quick}
				hint := result(api.SlopecrashersSuggest(background).SlopecrashersSuggestRequest(question).Execute())
				soFar = append(soFar, hint.Pick)
			}
		}
		played := games.SlopecrashersResolveRequest{State: state, Moves: soFar}
		resolved := result(api.SlopecrashersResolve(background).SlopecrashersResolveRequest(played).Execute())
		state = resolved.State
		events += len(resolved.Events)
		if resolved.GameOver {
			return fmt.Sprint(turn, " ", events, " ", strings.Join(resolved.Winners, " "))
		}
	}
}

func snowcrest(api *games.SnowcrestAPIService) string {
	seed, quick, events := int64(1), games.EFFORT_QUICK, 0
	seats := []games.SnowcrestNewSeat{{Player: "anna"}, {Player: "bob"}}
	request := games.SnowcrestNewRequest{Seats: seats, Seed: seed}
	state := result(api.SnowcrestNew(background).SnowcrestNewRequest(request).Execute()).State
	for turn := 1; ; turn++ {
		soFar := []games.SnowcrestAction{}
		for {
			position := games.SnowcrestLegalMovesRequest{State: state, SoFar: soFar}
			legal := result(api.SnowcrestLegalMoves(background).SnowcrestLegalMovesRequest(position).Execute())
			if legal.SnowcrestLegalMovesComplete != nil {
				break
			} else if draw := legal.SnowcrestLegalMovesDraw; draw != nil {
				drawn := games.SnowcrestActionDraw{Type: "draw", Card: draw.Draw[0].Card}
				soFar = append(soFar, games.SnowcrestActionDrawAsSnowcrestAction(&drawn))
			} else {
				question := games.SnowcrestSuggestRequest{State: state, SoFar: soFar, Player: deciding(legal), Effort: &quick}
				hint := result(api.SnowcrestSuggest(background).SnowcrestSuggestRequest(question).Execute())
				soFar = append(soFar, hint.Pick)
			}
		}
		played := games.SnowcrestResolveRequest{State: state, Moves: soFar}
		resolved := result(api.SnowcrestResolve(background).SnowcrestResolveRequest(played).Execute())
		state = resolved.State
		events += len(resolved.Events)
		if resolved.GameOver {
			return fmt.Sprint(turn, " ", events, " ", strings.Join(resolved.Winners, " "))
		}
	}
}

// deciding returns the deciding player; each kind of decision has one.
func deciding(legal any) string {
	encoded, _ := json.Marshal(legal)
	var decision struct{ Player string }
	json.Unmarshal(encoded, &decision)
	return decision.Player
}

// later decodes responses of a later version, and returns what it knows of them.
func later(file string) string {
	text, _ := os.ReadFile(file)
	var resolved games.SnowTimeResolveResponse
	if err := json.Unmarshal(text, &resolved); err != nil {
		panic(err)
	}
	return fmt.Sprint(len(resolved.Events), " ", resolved.GameOver)
}

func main() {
	if len(os.Args) > 2 {
		fmt.Println(later(os.Args[2]))
		return
	}
	settings := games.NewConfiguration()
	settings.Servers = games.ServerConfigurations{{URL: os.Args[1]}}
	client := games.NewAPIClient(settings)
	fmt.Println(snowTime(client.SnowTimeAPI))
	fmt.Println(slopecrashers(client.SlopecrashersAPI))
	fmt.Println(snowcrest(client.SnowcrestAPI))
}
